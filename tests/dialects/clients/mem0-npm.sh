#!/usr/bin/env bash
# mem0's own TypeScript client, installed with npm into a folder of its own.
set -euo pipefail

folder="$RECOLLECT_CLIENTS/mem0-npm"
if [ ! -e "$folder/.installed" ]; then
    mkdir -p "$folder"
    (cd "$folder" && npm init -y > /dev/null && npm install --no-audit --no-fund --ignore-scripts --loglevel=error mem0ai@3.3.1)
    touch "$folder/.installed"
fi
cd "$folder"
MEM0_TELEMETRY=false node --input-type=module - "$1" "$2" << 'SCRIPT'
import assert from "node:assert/strict";
import { MemoryClient } from "mem0ai";

const [host, apiKey] = process.argv.slice(2);
const client = new MemoryClient({ apiKey, host });
await client.ping();
const filters = { user_id: "ana" };
const made = await client.add([{ role: "user", content: "I'm a vegetarian." }], { userId: "ana" });
assert.equal(made.status, "PENDING");
const [found] = (await client.search("what is her diet", { filters })).results;
assert.equal(found.memory, "User's diet is vegetarian.");
const page = await client.getAll({ filters, page: 1, pageSize: 10 });
assert.equal(page.count, 1);
assert.equal((await client.get(found.id)).userId, "ana");
await client.update(found.id, { text: "User's diet is vegan." });
assert.deepEqual((await client.history(found.id)).map((each) => each.event), ["ADD", "UPDATE"]);
await client.batchUpdate([{ memoryId: found.id, text: "User is a vegan." }]);
assert.equal((await client.feedback({ memoryId: found.id, feedback: "POSITIVE" })).feedback, "POSITIVE");
assert.equal((await client.users()).results[0].name, "ana");
assert.ok((await client.getProfile({ entityId: "ana" })).status);
await assert.rejects(client.createMemoryExport({ schema: {}, filters }), /not taken/);
await client.batchDelete([found.id]);
await assert.rejects(client.get(found.id));
await client.deleteAll({ userId: "ana" });
await client.add("I like tea", { userId: "bo", infer: false });
await client.deleteUsers();
assert.equal((await client.users()).count, 0);
console.log("mem0: the TypeScript client is at home here.");
process.exit(0);
SCRIPT
