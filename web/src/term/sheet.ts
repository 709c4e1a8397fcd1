/*
 * Where xterm.js makes <style> elements, the build has it make these (vite.config.js): the page's policy allows no inline
 * style, and a sheet that a script constructs is none.
 */

/** Also in vite.config.js. */
const NAME = "term-sheet";

class TermSheet extends HTMLElement {
    private readonly sheet = new CSSStyleSheet();
    private css = "";

    // It is often told what it says already, and every change of a sheet has the whole page looked at anew.
    override set textContent(css: string) {
        if (css === this.css) return;
        this.css = css;
        this.sheet.replaceSync(css);
    }

    override get textContent(): string {
        return this.css;
    }

    connectedCallback(): void {
        document.adoptedStyleSheets.push(this.sheet);
    }

    disconnectedCallback(): void {
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((s) => s !== this.sheet);
    }
}

export function defineSheet(): void {
    if (!customElements.get(NAME)) customElements.define(NAME, TermSheet);
}
