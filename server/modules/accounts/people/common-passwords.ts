import lines from './common-passwords.json' with { type: 'json' }

/**
 * The 3,000 most used passwords of at least 8 characters, in lower case, from the list "10 million
 * passwords" of SecLists (MIT license, Copyright Daniel Miessler). They are rejected and never
 * displayed.
 */
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase())

const common = new Set(lines.flatMap((line) => line.split(' ')))
