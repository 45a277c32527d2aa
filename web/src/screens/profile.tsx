/** Somebody, or a project, on one page. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useSpace, useVerb } from "../api/hooks";
import type { Counted } from "../api/verbs";
import { Badge, Card, Empty, input, Page, Pending } from "../parts/basics";
import { count, day, many, subjectName, words } from "../lib/format";
import type { Looked } from "../router";

export default function Profile() {
  const looked: Looked = useSearch({ strict: false });
  const navigate = useNavigate();
  const facets = useVerb("count", { by: ["subject", "project"] });
  const by = facets.data?.by ?? {};
  const subjects = Object.keys(by.subject ?? {}).filter((each) => subjectName(each) !== "");
  const projects = Object.keys(by.project ?? {}).filter(Boolean);
  const pick = (value: string) => {
    const [kind, name] = [value.slice(0, value.indexOf("=")), value.slice(value.indexOf("=") + 1)];
    void navigate({ to: ".", search: { [kind]: name } as never });
  };
  return (
    <Page
      title="Profile"
      lead="What is known of one person or one project."
      aside={
        <select aria-label="Of whom" className={`${input} !w-56`} value={looked.project ? `project=${looked.project}` : `subject=${looked.subject ?? "user"}`} onChange={(event) => pick(event.target.value)}>
          <optgroup label="People and things">
            {[...new Set(["user", looked.subject ?? "user", ...subjects])].map((each) => <option key={each} value={`subject=${each}`}>{subjectName(each)}</option>)}
          </optgroup>
          {projects.length > 0 && <optgroup label="Projects">{projects.map((each) => <option key={each} value={`project=${each}`}>{each}</option>)}</optgroup>}
        </select>
      }
    >
      {looked.project ? <OfProject project={looked.project} /> : <OfSubject subject={looked.subject ?? "user"} />}
    </Page>
  );
}

function OfSubject({ subject }: { subject: string }) {
  const space = useSpace();
  const profile = useVerb("profile", { subject });
  if (!profile.data) return <Pending of={profile} lines={6} />;
  if (profile.data.fields.length === 0) return <Card><Empty icon="person" title="Nothing is known yet">Facts about {subjectName(subject)} gather here as they are learned.</Empty></Card>;
  return (
    <>
      <Card><p className="text-lg leading-relaxed">{profile.data.prose}</p></Card>
      <Card className="mt-4">
        <dl className="divide-y divide-line">
          {profile.data.fields.map((field) => (
            <div key={field.attribute} className="grid grid-cols-[9rem_minmax(0,1fr)] gap-3 py-2.5 first:pt-0 last:pb-0">
              <dt className="text-sm text-muted capitalize">{words(field.attribute)}</dt>
              <dd className="flex flex-wrap items-center gap-x-3 gap-y-1">
                {field.values.map((value, index) => (
                  <Link key={value} className="font-medium break-words hover:underline" to={`/${space}/memories/${field.note_ids[index] ?? field.note_ids[0]}` as string}>{value}</Link>
                ))}
                {field.essential && <Badge tone="accent">essential</Badge>}
                {field.since && <span className="ml-auto text-xs text-muted">since {day(field.since)}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  );
}

function OfProject({ project }: { project: string }) {
  const profile = useVerb("project-profile", { project });
  if (!profile.data) return <Pending of={profile} lines={6} />;
  const found = profile.data;
  const lists: [string, Counted[]][] = [["Concepts", found.concepts], ["Files", found.files], ["Commands", found.commands], ["Errors", found.errors]];
  return (
    <>
      <Card>
        <p className="text-lg">{many(found.notes, "note")}, {many(found.sessions, "session")}{found.since && ` since ${day(found.since)}`}.</p>
        {found.conventions.length > 0 && <ul className="mt-3 list-disc space-y-1 pl-5">{found.conventions.map((each) => <li key={each}>{each}</li>)}</ul>}
      </Card>
      <div className="mt-4 grid gap-4 md:grid-cols-2">
        {lists.filter(([, items]) => items.length > 0).map(([title, items]) => (
          <Card key={title} title={title}>
            <ul className="space-y-1 text-sm">{items.map((each) => <li key={each.name} className="flex gap-3"><span className="min-w-0 truncate">{each.name}</span><span className="ml-auto text-muted">{count(each.times)}×</span></li>)}</ul>
          </Card>
        ))}
      </div>
    </>
  );
}
