/** Where a monitor's own state is, not that of one of its regions. */
export const ownState = (monitorId: string) => ({ monitorId_region: { monitorId, region: '' } });
