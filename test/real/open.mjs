// What is known not to be right yet, or cannot be played: a CLI's scenario, and why. docs/agents.md says `open`. A scenario that is made
// right is taken out here, and `make test-real` records it.
export const OPEN = {
  claude: {
    detached: { replay: 'the agent is the child of a server that a recording has not: it runs live only' },
  },
  codex: {
    twins: { live: 'Codex says which of two questions was answered only when both are: until then the board shows both' },
  },
  gemini: {
    twins: { live: 'the driver does not see yet that the first of two questions was answered' },
  },
  opencode: {
    badRequest: { live: 'the card goes on thinking: its error has not been heard of' },
  },
  copilot: {
    interrupted: { live: 'Esc before the first words of the first turn: the card goes on thinking' },
    answered: { live: 'the notice of a question has neither its words nor its answers' },
    dismissed: { live: 'the notice of a question has neither its words nor its answers' },
    tooMany: { live: 'it tries again for minutes, and says nothing meanwhile' },
  },
};

/** Why a scenario is not played from its recording; undefined when it is. */
export const openReason = (cli, scenario) => OPEN[cli]?.[scenario]?.live ?? OPEN[cli]?.[scenario]?.replay;
