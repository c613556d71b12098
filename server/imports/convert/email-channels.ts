import { NotCarriedOver } from '../draft';

const CONFIRMS = 'Upwatch sends the mail itself. The recipient must confirm the address first.';
const MOST_RECIPIENTS = 20;

/**
 * Returns one email channel for each distinct recipient.
 * @throws NotCarriedOver without a recipient, or with too many
 */
export function toEmailChannels(recipients: string[]) {
  const addresses = [...new Set(recipients.map((each) => each.trim()).filter(Boolean))];
  if (addresses.length === 0) throw new NotCarriedOver('It has no recipient.');
  if (addresses.length > MOST_RECIPIENTS) {
    throw new NotCarriedOver(`It has more than ${MOST_RECIPIENTS} recipients. Use a mailing list.`);
  }
  return addresses.map((to) => ({ type: 'email' as const, config: { to }, notes: [CONFIRMS] }));
}
