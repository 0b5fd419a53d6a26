export const PhoneLink = ({ number }: { number: string }) => <a href={telHref(number)}>{number}</a>

/** A comma makes a phone wait before it dials the extension. */
export function telHref(number: string): string {
  const [line = '', ...extension] = number.split(/x|ext\.?|#/i).map((part) => part.replace(/[^+\d]/g, ''))
  return `tel:${[line, ...extension].join(',')}`
}
