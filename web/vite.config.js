import { defineConfig } from "vite";

// `npm run dev` talks to a daemon that already runs; OSTLER_URL names another one.
const daemon = process.env.OSTLER_URL ?? "http://127.0.0.1:3333";
const proxy = { target: daemon, changeOrigin: true, headers: { origin: daemon } };

export default defineConfig({
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
        // Everything but index.html carries a hash, so that the daemon can let browsers keep it for ever.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: true,
    },
    server: {
        proxy: {
            "/api": proxy,
            "/ws": { ...proxy, ws: true, rewriteWsOrigin: true },
        },
    },
    test: { include: ["test/**/*.test.ts"] },
});
