/** The dashboard begins here. */
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ServerProblem } from "./api/client";
import { router } from "./router";
import { NoticeBoard } from "./shell/notices";
import { applyTheme } from "./shell/theme";
import "./tokens.css";

applyTheme();

const client = new QueryClient({
  queryCache: new QueryCache({
    // A session that is over is noticed wherever it is first felt; the gate asks again and says so.
    onError: (error, query) => {
      if (error instanceof ServerProblem && error.isSignedOut && query.queryKey[0] !== "info") {
        void client.invalidateQueries({ queryKey: ["info"] });
      }
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (times, error) => error instanceof ServerProblem && (error.status === 0 || error.status >= 502) && times < 3,
    },
  },
});

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <NoticeBoard>
        <RouterProvider router={router} />
      </NoticeBoard>
    </QueryClientProvider>
  </StrictMode>,
);
