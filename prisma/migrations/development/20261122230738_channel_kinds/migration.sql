-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "channel_type" ADD VALUE 'microsoft_teams';
ALTER TYPE "channel_type" ADD VALUE 'pagerduty';
ALTER TYPE "channel_type" ADD VALUE 'opsgenie';
ALTER TYPE "channel_type" ADD VALUE 'google_chat';
ALTER TYPE "channel_type" ADD VALUE 'mattermost';
ALTER TYPE "channel_type" ADD VALUE 'rocketchat';
ALTER TYPE "channel_type" ADD VALUE 'ntfy';
ALTER TYPE "channel_type" ADD VALUE 'gotify';
ALTER TYPE "channel_type" ADD VALUE 'pushover';
ALTER TYPE "channel_type" ADD VALUE 'pushbullet';
ALTER TYPE "channel_type" ADD VALUE 'matrix';
ALTER TYPE "channel_type" ADD VALUE 'twilio';
ALTER TYPE "channel_type" ADD VALUE 'vonage';
ALTER TYPE "channel_type" ADD VALUE 'signal';
ALTER TYPE "channel_type" ADD VALUE 'zulip';
ALTER TYPE "channel_type" ADD VALUE 'splunk_on_call';
ALTER TYPE "channel_type" ADD VALUE 'grafana_oncall';
ALTER TYPE "channel_type" ADD VALUE 'webex';
ALTER TYPE "channel_type" ADD VALUE 'home_assistant';
ALTER TYPE "channel_type" ADD VALUE 'web_push';
ALTER TYPE "channel_type" ADD VALUE 'custom';
