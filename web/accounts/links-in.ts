/** The web addresses in a mail's text, each once, in their order. */
export function linksIn(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"'\]]+/g) ?? []
  return [...new Set(found.map((address) => address.replace(/[.,;:!?)]+$/, '')))].filter((address) =>
    URL.canParse(address),
  )
}
