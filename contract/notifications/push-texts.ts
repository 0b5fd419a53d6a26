/** The type of device that runs a browser. */
export type DeviceKind = 'phone' | 'tablet' | 'computer'

/** Events that a person can wait for, shown when asking them to enable push. */
export type AwaitedEvent = 'sellerAnswers' | 'buyerSigns' | 'offerComes'

export const pushTexts = {
  badSubscription: 'Notifications could not be set up in this browser. Please try again.',
  unknownService: 'Notifications cannot be sent to this browser’s push service.',
  title: 'Notifications on your devices',
  lead: 'Besides the bell, a phone or computer can notify you right away, even when Keyturn is closed. Anyone who sees its screen can read the notification.',
  thisDevice: (kind: DeviceKind) => `Notify me on this ${kind}`,
  another: (when: string) => `Another device, notifications turned on ${when}`,
  since: (when: string) => `Notifications turned on ${when}`,
  kindsTitle: 'What they notify you about',
  kindsLead:
    'Devices with notifications turned on always notify you when something you signed or requested is no longer valid.',
  failed: 'Your devices could not be loaded. Please try again.',
  switchedOn: (kind: DeviceKind) => `Done. We will notify you on this ${kind}.`,
  switchedOff: 'Turned off.',
  notSaved: 'This could not be saved. Please try again.',

  ask: {
    sellerAnswers: (kind: DeviceKind) => `Notify me on this ${kind} when the seller answers`,
    buyerSigns: (kind: DeviceKind) => `Notify me on this ${kind} when the buyer signs`,
    offerComes: (kind: DeviceKind) => `Notify me on this ${kind} when an offer comes in`,
  } satisfies Record<AwaitedEvent, (kind: DeviceKind) => string>,
  isOn: (kind: DeviceKind) => `We will notify you on this ${kind}. You can change that in your settings.`,

  /** Reasons why push is unavailable. */
  unsupported: 'This browser cannot show notifications from Keyturn.',
  insecure: 'Notifications work only when Keyturn is opened at an https:// address.',
  blocked:
    'Notifications from Keyturn are blocked in this browser. Allow them in its settings for this site, then come back here.',
  notAllowed: 'You did not allow notifications, so nothing has changed.',
  addToHomeScreen:
    'On an iPhone or iPad, add Keyturn to your Home Screen first: tap Share, then Add to Home Screen. Then open Keyturn from there and turn on notifications.',
  couldNot: 'This browser could not turn on notifications. Please try again later.',
} as const
