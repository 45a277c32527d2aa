import { createHash } from "node:crypto";
import { defineConfig, type Plugin } from "vite";

const digest = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** One page with its script and its style inside, which may run nothing else and ask nobody. */
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      let script = "";
      let style = "";
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") script += file.code;
        else if (name.endsWith(".css")) style += file.source as string;
        else continue;
        delete bundle[name];
      }
      script = script.replaceAll("</script", "<\\/script").trim();
      style = style.trim();
      const policy = `default-src 'none'; script-src ${digest(script)}; style-src ${digest(style)}; base-uri 'none'; form-action 'none'`;
      for (const file of Object.values(bundle)) {
        if (file.type !== "asset" || !file.fileName.endsWith(".html")) continue;
        const page = (file.source as string).replace(/\s*<(script|link)\b[^>]*>(<\/script>)?/g, "");
        file.source = page
          .replace("</head>", () => `  <meta http-equiv="Content-Security-Policy" content="${policy}" />\n    <style>${style}</style>\n  </head>`)
          .replace("</body>", () => `  <script type="module">${script}</script>\n  </body>`);
      }
    },
  };
}

// The fact card that hosts of MCP show inside a chat. It stands beside the dashboard, whose build comes before.
export default defineConfig({
  publicDir: false,
  plugins: [oneFile()],
  build: {
    outDir: "../src/recollect/surfaces/dashboard/static",
    emptyOutDir: false,
    target: "es2022",
    cssTarget: ["chrome123", "safari17.5", "firefox120"], // those that know light-dark(), which follows the theme of the host
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: "fact-card.html" },
  },
});
