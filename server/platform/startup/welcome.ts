import type { Config } from '../../config.ts'

export type DemoPerson = { who: string; email: string; password: string; shows: string }

/**
 * Formats the startup message with the address and the demo accounts. Omits the administrator's
 * password when the output goes to a log.
 */
export function welcomeText(config: Config, port: number, people: readonly DemoPerson[]): string {
  const address =
    config.publicUrl.port === String(port) ? config.publicUrl.origin : `http://localhost:${port}`
  const lines = ['', `Keyturn is ready: ${address}`]
  if (people.length > 0) lines.push('', 'Sign in as', ...table(people))
  if (config.admin && !config.production) {
    const mailbox = config.smtpUrl ? '' : ', with the mailbox'
    lines.push(
      '',
      `Administrator${mailbox}: ${address}/dev`,
      `  username ${config.admin.username}   password ${config.logTo === 'stdout' ? 'as set, or as stored in DATA_DIR' : config.admin.password}`,
    )
  }
  lines.push('', 'Press Ctrl-C to stop.', '')
  return lines.join('\n')
}

function table(people: readonly DemoPerson[]): string[] {
  const width = (key: keyof DemoPerson) => Math.max(...people.map((person) => person[key].length))
  return people.map(
    (person) =>
      `  ${person.who.padEnd(width('who'))}  ${person.email.padEnd(width('email'))}  ${person.password.padEnd(width('password'))}  ${person.shows}`,
  )
}
