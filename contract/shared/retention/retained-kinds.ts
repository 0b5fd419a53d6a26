/** A kind of rows that a job removes once they are old (R-everywhere-69). */
type RetainedKind = {
  /** The setting with its age in days. */
  setting: string
  /** Default age in days. */
  days: number
  min: number
  max: number
}

export const retainedKinds = {
  /**
   * The record that an email was sent. After an email is sent, its text is deleted and this
   * record helps to find lost emails.
   */
  emails: {
    setting: 'EMAIL_RETENTION_DAYS',
    days: 90,
    min: 8,
    max: 3650,
  },
  /** The text of an email that could not be sent. Until then the email can be sent again. */
  failedEmailTexts: {
    setting: 'FAILED_EMAIL_TEXT_RETENTION_DAYS',
    days: 7,
    min: 1,
    max: 90,
  },
  /**
   * Notifications that were read or need nothing anymore. They show what happened in the past
   * months.
   */
  readNotifications: {
    setting: 'READ_NOTIFICATION_RETENTION_DAYS',
    days: 180,
    min: 7,
    max: 3650,
  },
  /**
   * Unread notifications. They wait for their reader. Notifications that still need an action
   * stay.
   */
  notifications: {
    setting: 'NOTIFICATION_RETENTION_DAYS',
    days: 365,
    min: 7,
    max: 3650,
  },
  /**
   * Failed attempts to deliver a deal to its dealer. They explain a late delivery. The attempt
   * that the dealer accepted stays as evidence.
   */
  deliveryTries: {
    setting: 'DELIVERY_TRY_RETENTION_DAYS',
    days: 90,
    min: 7,
    max: 3650,
  },
  /**
   * Stored responses to changes. They repeat the first response when a device sends the same
   * change again.
   */
  responses: {
    setting: 'RESPONSE_RETENTION_DAYS',
    days: 3,
    min: 3,
    max: 30,
  },
  /**
   * Ended sign-ins, with their network address and browser. They show whether somebody else used
   * the account. The age counts from the end of the session.
   */
  signIns: {
    setting: 'SIGN_IN_RETENTION_DAYS',
    days: 30,
    min: 1,
    max: 3650,
  },
  /**
   * Expired links from emails. Kept so that the next verification link leads to the same car as an
   * expired one.
   */
  emailCodes: {
    setting: 'EMAIL_CODE_RETENTION_DAYS',
    days: 30,
    min: 1,
    max: 365,
  },
  /**
   * Digests of networks from which the account was used. Kept so that guesses from other networks
   * do not slow down the owner.
   */
  knownNetworks: {
    setting: 'NETWORK_RETENTION_DAYS',
    days: 90,
    min: 1,
    max: 90,
  },
  /** Expired or revoked access tokens, as digests. They show until when a program had access. */
  accessTokens: {
    setting: 'ACCESS_TOKEN_RETENTION_DAYS',
    days: 30,
    min: 1,
    max: 3650,
  },
  /** Which wholesaler was shown the contact data of an owner, and on which day. Owners read it. */
  contactLooks: {
    setting: 'CONTACT_LOOK_RETENTION_DAYS',
    days: 365,
    min: 30,
    max: 3650,
  },
  /**
   * Decided reports of messages and cars. They show earlier decisions about the same person or
   * car. Open reports stay.
   */
  reports: {
    setting: 'REPORT_RETENTION_DAYS',
    days: 365,
    min: 30,
    max: 3650,
  },
  /**
   * Results of the VIN decoder. Kept because a lookup is slow, and removed because newer data may
   * know more. Listings have their own copy.
   */
  vinAnswers: {
    setting: 'VIN_ANSWER_RETENTION_DAYS',
    days: 365,
    min: 1,
    max: 3650,
  },
} as const satisfies Record<string, RetainedKind>

export type RetentionKind = keyof typeof retainedKinds
/** The age in days of each kind. */
export type RetentionDays = Record<RetentionKind, number>

export const retentionKindNames = Object.keys(retainedKinds) as RetentionKind[]
