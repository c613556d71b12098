#!/usr/bin/env bash
# The steps of the action. Inputs are environment variables, so that no value is read as a command.
set -euo pipefail

upwatch() {
  if [ -n "${UPWATCH_CLI:-}" ]; then
    "$UPWATCH_CLI" "$@"
    return
  fi
  local passed=(-e UPWATCH_URL -e UPWATCH_API_KEY)
  for name in $UPWATCH_VARIABLES; do passed+=(-e "$name"); done
  docker run --rm "${passed[@]}" -v "$PWD:/work:ro" -w /work "$UPWATCH_IMAGE" "$@"
}

api() {
  # The key is read from standard input, because arguments are visible to other processes.
  curl --fail-with-body --silent --show-error --retry 3 --config - --header 'content-type: application/json' \
    --request "$1" --data "$3" "${UPWATCH_URL%/}$2" <<<"header = \"authorization: Bearer $UPWATCH_API_KEY\""
}

read -ra files <<<"$UPWATCH_FILES"
# Marks the comment that later plans replace.
marker='<!-- upwatch plan -->'

case "$UPWATCH_COMMAND" in
  plan)
    code=0
    plan=$(upwatch plan -f "${files[@]}" 2>&1) || code=$?
    printf '%s\n' "$plan"
    if [ -n "${PULL_REQUEST:-}" ]; then
      # A fence that is longer than any in the plan, which contains texts of the pull request.
      fence=$(printf '%s' "$plan" | grep -oE '`+' | awk '{ if (length > most) most = length } END { for (i = 0; i < (most < 3 ? 3 : most + 1); i++) printf "`" }' || true)
      fence=${fence:-'```'}
      comment=$(mktemp)
      # The summary comes first, because a long plan is cut.
      summary=$(tail -n 1 <<<"$plan")
      printf '%s\n### Upwatch plan\n\n%sdiff\n%s\n\n%s\n%s\n' "$marker" "$fence" "${summary:0:500}" "${plan:0:60000}" "$fence" >"$comment"
      comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
      id=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)
      if [ -n "$id" ]; then
        gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$comment"
      else
        gh api --silent --method POST "$comments" -F "body=@$comment"
      fi
    fi
    # 2 says that there are changes, which is no failure of a pull request.
    [ "$code" -eq 0 ] || [ "$code" -eq 2 ] || exit "$code"
    ;;
  apply)
    upwatch apply --yes -f "${files[@]}"
    ;;
  start-maintenance)
    read -ra tags <<<"$UPWATCH_TAGS"
    body=$(jq -cn --argjson minutes "$UPWATCH_MINUTES" --arg title "Deployment of ${GITHUB_REPOSITORY:-}" \
      '{title: $title, minutes: $minutes} + (if ($ARGS.positional | length) > 0 then {monitorIds: [], tags: $ARGS.positional} else {} end)' \
      --args "${tags[@]}")
    window=$(api POST /api/v1/maintenance-windows/start "$body" | jq -er .maintenanceWindow.id)
    echo "window=$window" >>"$GITHUB_OUTPUT"
    ;;
  end-maintenance)
    case "$UPWATCH_WINDOW" in '' | *[!0-9A-Z]*) echo "Set window to the output of start-maintenance." >&2 && exit 1 ;; esac
    api POST "/api/v1/maintenance-windows/$UPWATCH_WINDOW/end" '{}'
    ;;
  *)
    echo "command is plan, apply, start-maintenance or end-maintenance." >&2
    exit 1
    ;;
esac
