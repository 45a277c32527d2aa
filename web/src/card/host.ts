/** The line to the host of an MCP App: JSON-RPC by messages to the window that holds the page, and to no other. */
export const PROTOCOL = "2026-01-26";

type Message = { jsonrpc: "2.0"; id?: number | string; method?: string; params?: unknown; result?: unknown; error?: { message?: string } };
type Waiting = { done: (result: unknown) => void; failed: (problem: Error) => void };

export class Host {
  private next = 1;
  private waiting = new Map<number | string, Waiting>();

  constructor(private heard: (method: string, params: Record<string, unknown>) => void) {
    window.addEventListener("message", (event) => {
      if (event.source === window.parent) this.receive(event.data as Message);
    });
  }

  /** Ask the host, and wait for its answer. */
  ask(method: string, params: unknown): Promise<unknown> {
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.send({ jsonrpc: "2.0", id, method, params });
    });
  }

  /** Tell the host something that has no answer. */
  tell(method: string, params: unknown = {}): void {
    this.send({ jsonrpc: "2.0", method, params });
  }

  private send(message: Message): void {
    window.parent.postMessage(message, "*"); // the origin of a host is not known; nothing but calls of tools is said
  }

  private receive(message: Message): void {
    if (message?.jsonrpc !== "2.0") return;
    if (message.method) {
      if (message.id !== undefined) this.send({ jsonrpc: "2.0", id: message.id, result: {} }); // ping and teardown
      else this.heard(message.method, (message.params ?? {}) as Record<string, unknown>);
      return;
    }
    const waiting = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id!);
    if (message.error) waiting.failed(new Error(message.error.message ?? "The host refused."));
    else waiting.done(message.result);
  }
}
