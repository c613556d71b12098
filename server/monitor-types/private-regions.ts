/** The prefix of private regions: those of a team, which agents with a token of that team check. A worker's REGION cannot contain a slash. */
export const PRIVATE_PREFIX = 'private/';

export const isPrivateRegion = (region: string) => region.startsWith(PRIVATE_PREFIX);

/** Whether only agents check the monitor, so that this instance never connects to its target. */
export const isCheckedByAgents = (regions: readonly string[]) => regions.length > 0 && regions.every(isPrivateRegion);
