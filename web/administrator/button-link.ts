/**
 * Where our own button in a mail leads, or null. Its page is read, not its text: what people wrote stands in it escaped,
 * so that no word of theirs can look like the button.
 */
export function buttonLinkOf(html: string): string | null {
  const escaped = /<a href="([^"<>]*)"/.exec(html)?.[1]
  const address = escaped?.replace(/&(?:amp|#39);/g, (sign) => (sign === '&amp;' ? '&' : "'"))
  return address && /^https?:\/\//.test(address) && URL.canParse(address) ? address : null
}
