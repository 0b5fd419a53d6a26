import classes from './developers-page.module.css'

/** Text with `code` and **strong** words. */
export const Prose = ({ text }: { text: string }) =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have a fixed order
    if (part.startsWith('`')) return <code key={at}>{part.slice(1, -1)}</code>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have a fixed order
    if (part.startsWith('**')) return <strong key={at}>{part.slice(2, -2)}</strong>
    return part
  })

/** Lines break, so that no part of the page scrolls on its own. */
export const Code = ({ title, text }: { title?: string; text: string }) => (
  <figure className={classes.code}>
    {title && <figcaption>{title}</figcaption>}
    <pre>{text}</pre>
  </figure>
)
