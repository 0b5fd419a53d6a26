import { expect, test } from 'vitest'
import { isPushEndpoint, parsePushHosts } from './push-hosts.ts'

// R-notifications-26
test.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://FCM.googleapis.com/wp/abc',
  'https://jmt17.google.com/fcm/send/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
  'https://web.push.apple.com/abc',
])('accepts the push service of %s', (endpoint) => {
  expect(isPushEndpoint(endpoint, [])).toBe(true)
})

// R-notifications-26
test.each([
  'https://push.example/abc',
  'https://fcm.googleapis.com.example/abc',
  'https://fcm.googleapis.com./abc',
  'https://evil-fcm.googleapis.com/abc',
  'https://fcm.googleapis.com@push.example/abc',
  'https://push.example/fcm.googleapis.com',
  'https://push.services.mozilla.com/abc',
  'https://notpush.apple.com/abc',
  'https://169.254.169.254/latest',
])('refuses %s', (endpoint) => {
  expect(isPushEndpoint(endpoint, [])).toBe(false)
})

test('accepts the hosts that the operator has configured', () => {
  const more = parsePushHosts('push.example, *.Push.Example.org,[::1]') ?? []
  for (const host of ['push.example', 'a.b.push.example.org', '[::1]'])
    expect(isPushEndpoint(`https://${host}/abc`, more)).toBe(true)
  expect(isPushEndpoint('https://a.push.example/abc', more)).toBe(false)
})

test.each(['https://push.example', 'push.example:8443', '*', '*.', 'a,,b', 'a.*.b', ''])(
  'reads no hosts from %j',
  (list) => {
    expect(parsePushHosts(list)).toBeNull()
  },
)
