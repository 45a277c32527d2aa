/** The settings of a question in a row: of what time, among which notes, and by which models. */
import { useVerb } from "../api/hooks";
import { subjectName } from "../lib/format";
import { MODELS, type Settings } from "../lib/settings";
import { KINDS } from "./note";
import { Pick } from "./pick";

const STATES = ["active", "superseded", "disputed", "retracted", "expired", "quarantined", "any"];
const MOST = 100; // names in a list

export function SettingsForm({ settings, onChange }: { settings: Settings; onChange: (change: Settings) => void }) {
  const facets = useVerb("count", { by: ["tag", "subject", "project"], state: "any" });
  const held = (name: "tag" | "subject" | "project", label = (value: string) => value) =>
    Object.keys(facets.data?.by[name] ?? {}).slice(0, MOST).filter(label).map((value) => [value, label(value)] as const);
  const day = (field: "as_of" | "known_at", label: string) => (
    <label className="flex items-center gap-1.5 text-xs text-muted">
      {label}
      <input
        type="date"
        value={settings[field]?.slice(0, 10) ?? ""}
        onChange={(event) => onChange({ [field]: event.target.value || undefined })}
        className={`h-7 rounded-md border px-1.5 text-xs hover:bg-sunken ${settings[field] ? "border-accent bg-accent-soft text-accent" : "border-line bg-transparent"}`}
      />
    </label>
  );
  const pick = (field: keyof Settings) => (value?: string) => onChange({ [field]: value });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {day("as_of", "True on")}
      {day("known_at", "Known on")}
      <span className="flex flex-wrap gap-1.5">
        <Pick label="Kind" at={settings.kind} options={Object.entries(KINDS)} pick={pick("kind")} />
        <Pick label="State" at={settings.state} options={STATES.map((each) => [each, each] as const)} pick={pick("state")} />
        <Pick label="About" at={settings.subject} options={held("subject", subjectName)} pick={pick("subject")} />
        <Pick label="Project" at={settings.project} options={held("project")} pick={pick("project")} />
        <Pick label="Tag" at={settings.tag} options={held("tag")} pick={pick("tag")} />
      </span>
      <span role="group" aria-label="Models" className="flex flex-wrap items-center gap-1.5 text-xs text-muted">
        With
        {MODELS.map((model) => {
          const isOn = !settings.without?.includes(model);
          return (
            <button
              key={model}
              type="button"
              aria-pressed={isOn}
              title={isOn ? `Leave the ${model} out` : `Ask with the ${model}`}
              onClick={() => onChange({ without: MODELS.filter((each) => (each === model ? isOn : settings.without?.includes(each))) })}
              className={`h-7 rounded-md border px-2 text-xs hover:bg-sunken ${isOn ? "border-line text-muted" : "border-accent bg-accent-soft text-accent line-through"}`}
            >
              {model}
            </button>
          );
        })}
      </span>
    </div>
  );
}
