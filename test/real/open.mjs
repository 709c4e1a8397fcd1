// What is known not to be right yet, or cannot be played: a CLI's scenario, and why. docs/agents.md says `open`. A scenario that is made
// right is taken out here, and `make test-real` records it.
export const OPEN = {
  claude: {
    detached: { replay: 'the agent is the child of a server that a recording has not: it runs live only' },
  },
};

/** Why a scenario is not played from its recording; undefined when it is. */
export const openReason = (cli, scenario) => OPEN[cli]?.[scenario]?.live ?? OPEN[cli]?.[scenario]?.replay;
