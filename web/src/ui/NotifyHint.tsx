import { HEALTH_PATH } from "./routes";
import { useServices } from "./services";

/** Where waiting for somebody ends: said once, quietly, to who has not been told otherwise. */
export function NotifyHint({ text = "Be notified when somebody does" }: { text?: string }) {
    const { pushing } = useServices();
    if (pushing.wishes.value.on || pushing.obstacle.value !== null) return null;
    return (
        <a class="needs-notify" href={HEALTH_PATH}>
            {text}
        </a>
    );
}
