/** "localhost" and IPv4 addresses: what answers there seldom has a certificate. */
const bare = /^(localhost|\d{1,3}(\.\d{1,3}){3})(?=[:/]|$)/i;

/** The address as a full one: what is typed without a scheme is meant as `scheme`, by default https and where a certificate is unlikely http. */
export function completeAddress(text: string, scheme = bare.test(text.trim()) ? 'http' : 'https'): string {
  const address = text.trim();
  return address === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `${scheme}://${address}`;
}

/** A name for a monitor of this address: its host without "www.", and the path where it says more. */
export function suggestName(address: string): string {
  const url = completeAddress(address);
  if (url === '' || !URL.canParse(url)) return '';
  const { host, pathname } = new URL(url);
  const path = pathname === '/' ? '' : pathname.replace(/\/$/, '');
  return `${host.replace(/^www\./, '')}${path}`.slice(0, 120);
}
