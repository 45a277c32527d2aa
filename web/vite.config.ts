import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The page stands below /ui/ of the server that it speaks to. `npm run dev` asks a server on the usual port.
export default defineConfig({
  base: "/ui/",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "../src/recollect/surfaces/dashboard/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the policy of the page allows nothing inline
    reportCompressedSize: false,
  },
  server: { proxy: { "/v1": "http://127.0.0.1:7077" } },
});
