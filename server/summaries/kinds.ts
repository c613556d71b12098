import type { SummaryKind } from './schema';

interface Kind {
  /** The column of a membership that says since when the member gets the mail. */
  since: 'weeklySummarySince' | 'monthlyReportSince';
  action: string;
  /** The name of the setting in the audit log. */
  audited: string;
  /** Keeps unsubscribe tokens from being accepted for another purpose, because all are sealed with the same key. */
  purpose: string;
}

/** The mails about a team's past that members can switch on. */
export const kinds: Record<SummaryKind, Kind> = {
  weekly: {
    since: 'weeklySummarySince',
    action: 'member.weekly_summary',
    audited: 'weeklySummary',
    purpose: 'unsubscribe-summary',
  },
  monthly: {
    since: 'monthlyReportSince',
    action: 'member.monthly_report',
    audited: 'monthlyReport',
    purpose: 'unsubscribe-report',
  },
};
