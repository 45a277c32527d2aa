/** The settings of a question: of what time, and among which notes. */
import { useVerb } from "../api/hooks";
import { subjectName } from "../lib/format";
import type { Settings } from "../lib/settings";
import { Field, input } from "./basics";
import { KINDS } from "./note";

const STATES = ["active", "superseded", "retracted", "expired", "disputed", "quarantined", "any"] as const;
const MOST = 100; // names in a list

export function SettingsForm({ settings, onChange }: { settings: Settings; onChange: (change: Settings) => void }) {
  const facets = useVerb("count", { by: ["tag", "subject", "project"], state: "any" });
  const named = (field: "tag" | "subject" | "project", label = (value: string) => value) => {
    const held = Object.keys(facets.data?.by[field] ?? {}).slice(0, MOST).filter((value) => label(value));
    const chosen = settings[field];
    return (chosen && !held.includes(chosen) ? [chosen, ...held] : held).map((value) => [value, label(value) || value] as const);
  };
  const pick = (field: keyof Settings, label: string, choices: readonly (readonly [string, string])[], none: string) => (
    <Field label={label}>
      <select className={input} value={settings[field] ?? ""} onChange={(event) => onChange({ [field]: event.target.value || undefined })}>
        <option value="">{none}</option>
        {choices.map(([value, said]) => <option key={value} value={value}>{said}</option>)}
      </select>
    </Field>
  );
  const date = (field: "as_of" | "known_at", label: string) => (
    <Field label={label}>
      <input type="date" className={input} value={settings[field]?.slice(0, 10) ?? ""} onChange={(event) => onChange({ [field]: event.target.value || undefined })} />
    </Field>
  );
  return (
    <div className="grid grid-cols-2 gap-x-3 gap-y-2.5 [&>*]:min-w-0">
      {date("as_of", "True on")}
      {date("known_at", "Known on")}
      {pick("kind", "Kind", Object.entries(KINDS), "Any")}
      {pick("state", "State", STATES.map((each) => [each, each] as const), "As usual")}
      {pick("subject", "About", named("subject", subjectName), "Anybody")}
      {pick("project", "Project", named("project"), "Any")}
      {pick("tag", "Tag", named("tag"), "Any")}
    </div>
  );
}
