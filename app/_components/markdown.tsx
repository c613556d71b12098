/** A text that users wrote in Markdown, as the HTML that the server rendered when it was saved; as plain text where there is none. */
export function Markdown({ text, html }: { text: string; html: string | null }) {
  if (html === null) return <div className="markdown whitespace-pre-wrap">{text}</div>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: server/text/render-markdown.ts makes it of known elements and attributes.
  return <div className="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
