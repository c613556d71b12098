// @ts-check

/**
 * Returns a page for a temporary problem, which reloads itself. Needs no scripts, files or rendering.
 * @param {{ title: string, text: string, seconds: number }} notice without characters that HTML escapes
 */
export const noticePage = ({ title, text, seconds }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${seconds}">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 14px/1.6 system-ui, sans-serif; }
  main { max-width: 40rem; margin: 15vh auto; padding: 0 1rem; }
  h1 { font-size: 1.25rem; }
</style>
</head>
<body>
<main role="alert">
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
