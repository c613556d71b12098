import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';

const plugins = [remarkGfm];

/** Renders Markdown that users wrote. HTML and images in it are left out; links with other schemes than the web's and mail's are plain text. */
export function Markdown({ children }: { children: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown
        skipHtml
        remarkPlugins={plugins}
        disallowedElements={['img']}
        components={{ a: ({ href, children: text }) => <SafeLink href={href}>{text}</SafeLink> }}
      >
        {children}
      </ReactMarkdown>
    </div>
  );
}

function SafeLink({ href, children }: { href: string | undefined; children: React.ReactNode }) {
  if (!href) return children;
  return (
    <a href={href} rel="nofollow noopener noreferrer" target="_blank">
      {children}
    </a>
  );
}
