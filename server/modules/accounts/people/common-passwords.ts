/**
 * Returns whether a password is on a list of common ones, in any case, or is a pattern. The list
 * has 18,000 passwords of at least 8 characters, from `@zxcvbn-ts/language-common`. It is never
 * displayed. Loading it takes 30 ms and 6 MB, so a process loads it for its first new password.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const plain = password.toLowerCase()
  if (isPattern(plain)) return true
  common ??= loadCommonPasswords()
  return (await common).has(plain)
}

let common: Promise<ReadonlySet<string>> | undefined

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const words = dictionary['passwords-common'] as readonly string[]
  return new Set(words.filter((word) => word.length >= 8))
}

/** The list omits repetitions and rows of keys, because the library computes them. */
const isPattern = (password: string): boolean =>
  /^(.{1,6}?)\1+$/su.test(password) || rows.some((row) => row.includes(password))

const rows = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'].flatMap((row) => [
  row,
  [...row].reverse().join(''),
])
