/** The cookie that holds whether the sidebar is collapsed to the rail: "1" or "0". */
export const railCookie = 'rail';
