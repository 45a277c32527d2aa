/** Changes of a space as they happen: one stream for the page, and everything on it asked anew when it changes. */
import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useState } from "react";
import { streamOf } from "../api/client";
import type { ChangeKind, Job, Note, Observation } from "../api/verbs";

export interface LiveEvent {
  seq: number;
  kind: ChangeKind;
  record_id: string;
  version: number;
  note: Note | null;
  observation: Observation | null;
  job: Job | null;
}
export interface Live {
  connected: boolean;
  events: LiveEvent[];
}

const KINDS: ChangeKind[] = [
  "written", "adopted", "erased", "session-opened", "session-revised", "observed", "slot-written", "action-written",
  "link-refuted", "job-queued", "job-progressed", "job-done", "job-failed", "job-dead", "job-cancelled", "timer-set",
  "timer-dropped", "space-opened", "space-limited", "space-deleted", "space-restored",
];
const SHOWN = 40; // events that the feed remembers
const GATHERED = 250; // milliseconds in which changes become one question
const COME_BACK = 2000; // milliseconds before a stream that was refused is tried again

export const LiveContext = createContext<Live>({ connected: false, events: [] });
export const useLive = (): Live => useContext(LiveContext);

export function useLiveStream(space: string): Live {
  const client = useQueryClient();
  const [connected, setConnected] = useState(false);
  const [events, setEvents] = useState<LiveEvent[]>([]);
  useEffect(() => {
    let source: EventSource | undefined;
    let gathered: ReturnType<typeof setTimeout> | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    let lost = false;
    setEvents([]);
    const refresh = () => {
      clearTimeout(gathered);
      gathered = setTimeout(() => void client.invalidateQueries({ queryKey: [space] }), GATHERED);
    };
    const hear = (message: MessageEvent<string>) => {
      const said = JSON.parse(message.data) as LiveEvent;
      setEvents((now) => [said, ...now].slice(0, SHOWN));
      refresh();
    };
    const open = () => {
      source = new EventSource(streamOf(space));
      source.onopen = () => {
        setConnected(true);
        if (lost) refresh(); // something may have happened meanwhile
        lost = false;
      };
      source.onerror = () => {
        setConnected(false);
        lost = true;
        // The browser comes back by itself after a broken line, but not after a refusal, as when the session is over.
        if (source?.readyState !== EventSource.CLOSED) return;
        void client.invalidateQueries({ queryKey: ["info"] });
        again = setTimeout(open, COME_BACK);
      };
      for (const kind of KINDS) source.addEventListener(kind, hear);
    };
    open();
    return () => {
      source?.close();
      clearTimeout(gathered);
      clearTimeout(again);
    };
  }, [client, space]);
  return { connected, events };
}
