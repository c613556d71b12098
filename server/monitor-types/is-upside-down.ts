/** Whether a monitor is up while its check fails. */
export const isUpsideDown = (config: object): boolean => 'upsideDown' in config && config.upsideDown === true;
