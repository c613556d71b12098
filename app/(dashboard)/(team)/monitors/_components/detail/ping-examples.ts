/** A program, file or command that pings a heartbeat. */
export interface PingExample {
  value: string;
  label: string;
  code: string;
}

const CURL = 'curl -fsS -m 10 --retry 5 -o /dev/null';

/** When the job runs: the heartbeat's cron expression and its time zone. */
export interface PingSchedule {
  cron: string;
  timezone: string;
}

/** Examples of jobs that ping a heartbeat's URL when they start and when they end. */
export function pingExamples(url: string, { cron, timezone }: PingSchedule): PingExample[] {
  return [
    { value: 'curl', label: 'curl', code: `${CURL} ${url}` },
    {
      value: 'shell',
      label: 'Shell',
      code: `#!/bin/sh
${CURL} ${url}/start
/usr/local/bin/backup
code=$?
${CURL} ${url}/$code
exit $code`,
    },
    { value: 'cron', label: 'cron', code: `${cron} /usr/local/bin/backup; ${CURL} ${url}/$?` },
    {
      value: 'systemd',
      label: 'systemd',
      code: `# /etc/systemd/system/backup.service
[Service]
Type=oneshot
ExecStartPre=-/usr/bin/${CURL} ${url}/start
ExecStart=/usr/local/bin/backup
ExecStopPost=-/bin/sh -c 'test "$$SERVICE_RESULT" = success && end=0 || end=fail; ${CURL} ${url}/$$end'`,
    },
    {
      value: 'kubernetes',
      label: 'Kubernetes',
      code: `apiVersion: batch/v1
kind: CronJob
metadata:
  name: backup
spec:
  schedule: '${cron}'
  timeZone: ${timezone}
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: backup
              image: registry.example.com/backup # with a shell and curl
              command: [/bin/sh, -c]
              args:
                - |
                  ${CURL} ${url}/start
                  backup
                  code=$?
                  ${CURL} ${url}/$code
                  exit $code`,
    },
    {
      value: 'python',
      label: 'Python',
      code: `import urllib.request

def ping(signal=""):
    try:
        urllib.request.urlopen("${url}" + signal, timeout=10)
    except OSError:
        pass  # a missed ping does not fail the job

ping("/start")
try:
    run_job()
except BaseException:
    ping("/fail")
    raise
ping()`,
    },
    {
      value: 'node',
      label: 'Node.js',
      code: `const ping = (signal = '') =>
  fetch('${url}' + signal, { signal: AbortSignal.timeout(10_000) }).catch(() => {}); // a missed ping does not fail the job

await ping('/start');
try {
  await runJob();
} catch (error) {
  await ping('/fail');
  throw error;
}
await ping();`,
    },
    {
      value: 'go',
      label: 'Go',
      code: `package main

import (
	"log"
	"net/http"
	"time"
)

// A missed ping does not fail the job.
func ping(signal string) {
	client := http.Client{Timeout: 10 * time.Second}
	if response, err := client.Get("${url}" + signal); err == nil {
		response.Body.Close()
	}
}

func main() {
	ping("/start")
	if err := runJob(); err != nil {
		ping("/fail")
		log.Fatal(err)
	}
	ping("")
}`,
    },
  ];
}
