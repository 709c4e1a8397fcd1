import { build, defineConfig } from "vite";

// `npm run dev` talks to a daemon that already runs; OSTLER_URL names another one.
const daemon = process.env.OSTLER_URL ?? "http://127.0.0.1:3333";
const proxy = { target: daemon, changeOrigin: true, headers: { origin: daemon } };

// What is changed in xterm.js. Each place must be found: another xterm.js does not build until somebody has looked.
const PATCHES = [
    // The page's policy allows neither <style> elements nor style attributes; src/term/sheet.ts says what it gets instead.
    { from: /createElement\("style"\)/g, to: 'createElement("term-sheet")', times: 3 },
    { from: /\b(\w+)\.setAttribute\("style",(`[^`]*`)\)/g, to: "($1.style.cssText=$2)", times: 1 },
    // CSI 1 J on the last column means the row below on the screen, not one of the scrollback, and there may be none.
    { from: /\b(\w+\._activeBuffer)\.lines\.get\((\w+)\+1\)\.isWrapped=!1/g, to: "Object($1.lines.get($1.ybase+$2+1)).isWrapped=!1", times: 1 },
];

const patchXterm = {
    name: "patch-xterm",
    enforce: "pre",
    transform(code, id) {
        if (!/@xterm\/xterm\/lib\/xterm\.mjs$/.test(id.split("?")[0])) return null;
        for (const { from, to, times } of PATCHES) {
            const found = code.match(from)?.length ?? 0;
            if (found !== times) this.error(`${from} is in xterm.js ${found} times, not ${times}`);
            code = code.replace(from, to);
        }
        return { code, map: null };
    },
};

// The service worker is a script of its own at the root, in one piece: browsers look for it under the same name for ever.
let outDir = "dist";
const buildWorker = {
    name: "build-worker",
    apply: "build",
    configResolved(config) {
        outDir = config.build.outDir;
    },
    async closeBundle() {
        const output = { format: "iife", entryFileNames: "sw.js" };
        const rollupOptions = { input: "src/worker/sw.ts", output };
        const options = { outDir, emptyOutDir: false, modulePreload: false, rollupOptions };
        await build({ configFile: false, publicDir: false, logLevel: "warn", build: options });
    },
};

export default defineConfig({
    plugins: [patchXterm, buildWorker],
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    optimizeDeps: { exclude: ["@xterm/xterm"] }, // so that the plugin sees it in `npm run dev`, too
    build: {
        // Everything but index.html carries a hash, so that the daemon can let browsers keep it for ever.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: true,
        chunkSizeWarningLimit: 600, // the terminal, in kB, loaded when one is opened
    },
    server: {
        proxy: {
            "/api": proxy,
            "/ws": { ...proxy, ws: true, rewriteWsOrigin: true },
        },
    },
    test: { include: ["test/**/*.test.ts"] },
});
