/**
 * Returns the link of the button in an email, or null. Reads the HTML, where user text is escaped
 * and therefore cannot imitate the button, as it could in the plain text.
 */
export function findButtonLink(html: string): string | null {
  const escaped = /<a href="([^"<>]*)"/.exec(html)?.[1]
  const address = escaped?.replace(/&(?:amp|#39);/g, (sign) => (sign === '&amp;' ? '&' : "'"))
  return address && /^https?:\/\//.test(address) && URL.canParse(address) ? address : null
}
