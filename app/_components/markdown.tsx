/** Users' Markdown as the HTML that the server rendered on saving, or as plain text without it. */
export function Markdown({ text, html }: { text: string; html: string | null }) {
  if (html === null) return <div className="markdown whitespace-pre-wrap">{text}</div>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: server/text/render-markdown.ts only outputs known elements and attributes.
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
