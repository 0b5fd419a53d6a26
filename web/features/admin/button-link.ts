/**
 * The link of our own button in a mail, or null. It is read from the HTML, not the text: there, what people wrote is
 * escaped, so nothing they write can look like the button.
 */
export function buttonLinkOf(html: string): string | null {
  const escaped = /<a href="([^"<>]*)"/.exec(html)?.[1]
  const address = escaped?.replace(/&(?:amp|#39);/g, (sign) => (sign === '&amp;' ? '&' : "'"))
  return address && /^https?:\/\//.test(address) && URL.canParse(address) ? address : null
}
