'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { get, type UseFormReturn } from 'react-hook-form';
import { deviceOf } from '@/app/_components/device';
import { Alert } from '@/app/_components/ui/alert';
import { Button } from '@/app/_components/ui/button';
import { Field, FieldError } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { useTRPC } from '@/app/_trpc/client';
import { readApiError } from '@/app/_trpc/errors';
import type { CreateChannelInput } from '@/server/notifications/schema';
import { type ChannelFields, configFieldsOf } from './channel-model';

/** An error whose message the user can act on. */
class NotSubscribed extends Error {}

/** Needed because a browser that cannot reach its push service waits forever. */
const SUBSCRIBE_WITHIN_MS = 30_000;

function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = 'The push service of this browser did not respond. Check the connection of this device and try again.';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NotSubscribed(late)), SUBSCRIBE_WITHIN_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Asks for permission and subscribes the browser with the instance's key. Replaces a subscription with another key. */
async function subscribe(serverKey: string): Promise<Record<string, string>> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    throw new NotSubscribed('This browser does not support push notifications, or Upwatch is not open over HTTPS.');
  }
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new NotSubscribed('Notifications are blocked. Allow them for this site in the settings of the browser.');
  }
  await navigator.serviceWorker.register('/push-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const wanted = { userVisibleOnly: true, applicationServerKey: serverKey };
  const subscribing = pushManager.subscribe(wanted).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(wanted);
  });
  const made = await withinTime(subscribing);
  const { endpoint = '', keys = {} } = made.toJSON();
  const device = deviceOf({ kind: 'dashboard', userAgent: navigator.userAgent });
  return { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '', serverKey, device };
}

function reasonOf(error: Error): string {
  if (error instanceof NotSubscribed) return error.message;
  if (error instanceof DOMException && error.name === 'NotAllowedError') {
    return 'The browser denied permission. Private windows cannot receive push notifications.';
  }
  if (error instanceof DOMException) return `The browser could not subscribe: ${error.message}`;
  return readApiError(error).message;
}

interface SubscribeBrowserProps {
  form: UseFormReturn<ChannelFields, unknown, CreateChannelInput>;
}

/** Fills the config of a channel with the subscription of this browser. */
export function SubscribeBrowser({ form }: SubscribeBrowserProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const subscribing = useMutation({
    mutationFn: async () =>
      subscribe((await queryClient.fetchQuery(trpc.notifications.pushKey.queryOptions())).publicKey),
    onSuccess: (config) => {
      form.setValue('config', config, { shouldDirty: true });
      form.clearErrors('config');
    },
  });
  const device = form.watch('config.device');
  const isSubscribed = Boolean(form.watch('config.endpoint'));
  const problem = configFieldsOf('web_push')
    .map(([name]): string | undefined => get(form.formState.errors, `config.${name}.message`))
    .find(Boolean);
  return (
    <div className="grid gap-3">
      {isSubscribed ? (
        <Field label="Browser" help="Messages go to this browser, even while Upwatch is closed.">
          <Input readOnly value={device || 'A browser'} />
        </Field>
      ) : (
        <p className="text-muted">
          Messages appear as browser notifications, even while Upwatch is closed. The browser asks for permission.
        </p>
      )}
      <div>
        <Button busy={subscribing.isPending} onClick={() => subscribing.mutate()}>
          Use this browser
        </Button>
      </div>
      {problem && !subscribing.error ? (
        <FieldError>{isSubscribed ? problem : 'Choose “Use this browser”.'}</FieldError>
      ) : null}
      {subscribing.error ? (
        <Alert state="down" role="alert" title="Not subscribed">
          {reasonOf(subscribing.error)}
        </Alert>
      ) : null}
    </div>
  );
}
