/** The type of device that runs a browser. */
export type DeviceKind = 'phone' | 'tablet' | 'computer'

/** Events that a person can wait for, shown when asking them to enable push. */
export type Awaited = 'sellerAnswers' | 'buyerSigns' | 'offerComes'

export const pushTexts = {
  badSubscription: 'This browser cannot be told anything. Please try again.',
  unknownService: 'Notifications cannot be sent to this browser’s push service.',
  title: 'Notifications on your devices',
  lead: 'Besides the bell, a phone or computer can tell you at once, even when Keyturn is closed. Anybody who sees its screen can read what it says.',
  thisDevice: (kind: DeviceKind) => `Tell me on this ${kind}`,
  another: (when: string) => `Another device, switched on ${when}`,
  since: (when: string) => `Switched on ${when}`,
  kindsTitle: 'What they tell you',
  kindsLead:
    'When something that you signed or asked for no longer holds, your devices tell you in any case, as long as they are switched on.',
  failed: 'Your devices could not be read. Please try again.',
  switchedOn: (kind: DeviceKind) => `Done. We will tell you on this ${kind}.`,
  switchedOff: 'Switched off.',
  notSaved: 'This could not be saved. Please try again.',

  ask: {
    sellerAnswers: (kind: DeviceKind) => `Tell me on this ${kind} when the seller answers`,
    buyerSigns: (kind: DeviceKind) => `Tell me on this ${kind} when the buyer signs`,
    offerComes: (kind: DeviceKind) => `Tell me on this ${kind} when an offer comes`,
  } satisfies Record<Awaited, (kind: DeviceKind) => string>,
  isOn: (kind: DeviceKind) => `We will tell you on this ${kind}. You can change that in your settings.`,

  /** Reasons why push is unavailable. */
  unsupported: 'This browser cannot show notifications from Keyturn.',
  insecure: 'Notifications need Keyturn at an https:// address.',
  blocked:
    'Notifications from Keyturn are blocked in this browser. Allow them in its settings for this site, then come back here.',
  notAllowed: 'You did not allow notifications, so nothing has changed.',
  addToHomeScreen:
    'On an iPhone or iPad, add Keyturn to your Home Screen first: tap Share, then Add to Home Screen. Open it from there and ask once more.',
  couldNot: 'This browser could not switch them on. Please try again later.',
} as const
