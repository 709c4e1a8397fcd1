import { ACCENTS } from "./colors";

/** A few colours to tell cards apart by, and none. */
export function AccentPicker({ value, choose }: { value: string | null; choose: (color: string) => void }) {
    return (
        <div class="accents" role="group" aria-label="Colour of the card">
            {[{ name: "No colour", color: "" }, ...ACCENTS].map(({ name, color }) => (
                <button
                    key={name}
                    type="button"
                    title={name}
                    aria-label={name}
                    aria-pressed={(value ?? "") === color}
                    data-none={color === ""}
                    style={{ "--accent": color }}
                    onClick={() => choose(color)}
                />
            ))}
        </div>
    );
}
