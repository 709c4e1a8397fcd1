import { MoonIcon, SunIcon } from "./icons";
import { useServices } from "./services";

export function ThemeToggle() {
    const { theme } = useServices();
    const dark = theme.current.value === "dark";
    const label = dark ? "Light theme" : "Dark theme";
    return (
        <button class="icon-button" type="button" onClick={theme.toggle} title={`${label} (t)`} aria-label={label}>
            {dark ? <SunIcon /> : <MoonIcon />}
        </button>
    );
}
