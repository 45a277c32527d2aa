/** Verbs as hooks: reads are kept and asked again when the space changes, writes ask for that at once. */
import { keepPreviousData, useMutation, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useNotices } from "../shell/notices";
import { ask, type Answers, type ServerProblem, type Takes, type Verb } from "./client";

/** The space that the address names. */
export function useSpace(): string {
  return useParams({ strict: false }).space ?? "default";
}

const AGAIN = 500; // milliseconds until an answer that lacks something is asked for again, and twice as many each time
const TRIES = 6;

/** The answer of a verb that only looks. What was there before stays until there is a new one. One that `isWhole` says
 *  lacks something is asked for again, some times. */
export function useVerb<V extends Verb>(
  verb: V,
  takes: Takes<V>,
  { enabled = true, isWhole = () => true }: { enabled?: boolean; isWhole?: (answer: Answers<V>) => boolean } = {},
): UseQueryResult<Answers<V>, ServerProblem> {
  const space = useSpace();
  return useQuery<Answers<V>, ServerProblem>({
    queryKey: [space, verb, takes],
    queryFn: ({ signal }) => ask(space, verb, takes, { signal }),
    enabled,
    refetchInterval: ({ state }) =>
      state.status === "success" && state.data && !isWhole(state.data) && state.dataUpdateCount < TRIES ? AGAIN * 2 ** state.dataUpdateCount : false,
    placeholderData: keepPreviousData as never,
  });
}

/** A verb that writes. What went wrong is shown to the person; `done` is what they are told otherwise. */
export function useAct<V extends Verb>(verb: V, done?: string | ((answer: Answers<V>) => string | undefined)) {
  const space = useSpace();
  const client = useQueryClient();
  const notices = useNotices();
  return useMutation<Answers<V>, ServerProblem, Takes<V>>({
    mutationFn: (takes) => ask(space, verb, takes),
    onSuccess: (answer) => {
      void client.invalidateQueries({ queryKey: [space] });
      const said = typeof done === "function" ? done(answer) : done;
      if (said) notices.tell(said);
    },
    onError: (problem) => notices.tell([problem.message, problem.hint].filter(Boolean).join(" "), "bad"),
  });
}

/** A verb that writes, tried: the answer is what it would be. */
export function useTrial<V extends Verb>(verb: V) {
  const space = useSpace();
  return useMutation<Answers<V>, ServerProblem, Takes<V>>({
    mutationFn: (takes) => ask(space, verb, takes, { dryRun: true }),
  });
}
