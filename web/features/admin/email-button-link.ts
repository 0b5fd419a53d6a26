/**
 * Returns the link of the button in an email, or null. Reads the HTML, not the text: user text is
 * escaped there, so that it cannot imitate the button.
 */
export function findButtonLink(html: string): string | null {
  const escaped = /<a href="([^"<>]*)"/.exec(html)?.[1]
  const address = escaped?.replace(/&(?:amp|#39);/g, (sign) => (sign === '&amp;' ? '&' : "'"))
  return address && /^https?:\/\//.test(address) && URL.canParse(address) ? address : null
}
