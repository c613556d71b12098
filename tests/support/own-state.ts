/** The filter for a monitor's own state, not that of one of its regions. */
export const ownState = (monitorId: string) => ({ monitorId_region: { monitorId, region: '' } });
