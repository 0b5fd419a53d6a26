import type { Audience } from '@keyturn/contract/notifications/events.ts'
import { pathOfPlace } from '@keyturn/contract/notifications/place.ts'
import { describe, expect, test } from 'vitest'
import { renderEmailHtml, renderEmailText } from '../../platform/mail/email-content.ts'
import { renderSubject } from '../../platform/mail/sentence.ts'
import { exampleFacts, exampleNames, emailExamples as mailed } from './email-examples.ts'
import { emailFor } from './emails.ts'
import type { PendingNotification } from './notify.ts'

const config = { publicUrl: new URL('https://keyturn.example') }
const written = (notification: PendingNotification) => {
  const letter = emailFor(config, notification, 'America/Los_Angeles')
  if (!letter) throw new Error('there is no letter')
  return {
    letter,
    subject: renderSubject(letter.subject),
    text: renderEmailText(letter),
    html: renderEmailHtml(letter),
  }
}
const whole = (notification: PendingNotification) => Object.values(written(notification)).slice(1).join('\n')

// R-notifications-6
describe('the email of an event', () => {
  test.each(mailed)(
    '$name: names its subject, and has one button that leads to the event’s page',
    ({ notification }) => {
      const { letter, subject, text, html } = written(notification)
      expect(`${subject} ${text}`).toContain(
        notification.event === 'deliveryParked' ? 'Bay Motors' : '2003 Honda Accord EX',
      )
      expect(letter.button?.href).toBe(`https://keyturn.example${pathOfPlace(notification.place)}`)
      expect(text).toContain(letter.button?.href)
      expect(html.match(/<a [^>]*font-weight:700/g)).toHaveLength(1)
      expect(text).not.toMatch(/undefined|null|NaN|\[object/)
      // The email loads nothing, so nobody learns that it was opened.
      expect(html).not.toMatch(/<img|<link|url\(|src=|https?:\/\/(?!keyturn\.example)/)
    },
  )
})

// R-trades-23
const strangers: readonly Audience[] = ['WHOLESALERS', 'OFFERER']
test.each(mailed.filter(({ audience }) => strangers.includes(audience)))(
  '$name: hides all names from wholesalers',
  ({ notification }) => {
    for (const name of Object.values(exampleNames)) expect(whole(notification)).not.toContain(name)
  },
)

test('mentions a trade-in only as one that may have been part of the request', () => {
  const mentions = mailed
    .filter(({ notification: { event } }) =>
      ['listingRemoved', 'saleCompleted', 'saleCalledOff'].includes(event),
    )
    .flatMap(({ notification }) => /[^.]*trade-in[^.]*\./.exec(written(notification).text)?.[0].trim() ?? [])
  expect(mentions).toHaveLength(3)
  for (const sentence of mentions)
    expect(sentence.replace(/\s+/g, ' ')).toMatch(/^If your request included a trade-in,/)
})

test('previews the first sentence of the email instead of the subject', () => {
  const { html } = written(
    mailed.find(({ notification }) => notification.event === 'requestReceived')
      ?.notification as PendingNotification,
  )
  const words = (html.split('<body')[1] ?? '')
    .replace(/^[^>]*>/, '')
    .replace(/<[^>]+>/g, '')
    .trim()
  expect(words).toMatch(/^Ben Buyer asks to buy your 2003 Honda Accord EX for \$19,250\./)
})

test('omits from other emails what the email about both signatures already says', () => {
  const signed = mailed.filter(({ notification }) =>
    ['sellerSigned', 'buyerSigned'].includes(notification.event),
  )
  for (const { notification } of signed) {
    const last = {
      ...notification,
      facts: { ...exampleFacts, until: null, sellersMove: null },
    } as unknown as PendingNotification
    expect(emailFor(config, last, 'America/New_York')).toBeNull()
  }
})

// R-everywhere-30
test('uses colors with enough contrast in both color schemes', () => {
  const html = mailed.map(({ notification }) => written(notification).html).join('\n')
  const [dark = ''] = /<style>.*?<\/style>/s.exec(html) ?? []
  const inline = [...html.matchAll(/style="([^"]*)"/g)].map(([, style = '']) => style)
  const inDark = [...dark.matchAll(/\{([^{}]*)\}/g)].map(([, style = '']) => style)
  const pairs = [...new Set([...inline.flatMap(pairOf('#ffffff')), ...inDark.flatMap(pairOf('#1C201F'))])]
  expect(pairs.length).toBeGreaterThanOrEqual(5)
  const weak = pairs.filter((pair) => contrastOf(pair) < 4.5)
  expect(weak).toEqual([])
})

/** The color of a text with its own background, otherwise with that of the sheet. */
const pairOf =
  (sheet: string) =>
  (style: string): string[] => {
    const color = /(?:^|[;\s])color:\s*(#\w+)/.exec(style)?.[1]
    return color ? [`${color} on ${/background:\s*(#\w+)/.exec(style)?.[1] ?? sheet}`] : []
  }

/** The contrast ratio as WCAG defines it. */
function contrastOf(pair: string): number {
  const [darker = 0, lighter = 0] = pair
    .split(' on ')
    .map(luminanceOf)
    .sort((one, other) => one - other)
  return (lighter + 0.05) / (darker + 0.05)
}
function luminanceOf(color: string): number {
  const hex = color.length === 4 ? color.replace(/\w/g, '$&$&') : color
  return [0.2126, 0.7152, 0.0722].reduce((sum, weight, at) => {
    const part = Number.parseInt(hex.slice(1 + 2 * at, 3 + 2 * at), 16) / 255
    return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  }, 0)
}
