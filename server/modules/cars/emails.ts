import type { Config } from '../../config.ts'
import type { EmailContent } from '../../platform/mail/email-content.ts'
import { sentence } from '../../platform/mail/sentence.ts'

// Emails to a person whose car somebody else has listed (R-cars-36).

export const listingRemovedEmail = (config: Config, car: string): EmailContent => ({
  subject: sentence`You can list your ${car} now`,
  lines: [
    sentence`You reported that somebody else had listed your ${car}. That listing has been removed, so you can list the car yourself.`,
  ],
  button: { label: 'Add A Car', href: new URL('/car/input', config.publicUrl).href },
})

/** `isSold`: the car is no longer listed, so it cannot be reported again. */
export const listingKeptEmail = (car: string, isSold: boolean): EmailContent => ({
  subject: sentence`About your report on the ${car}`,
  lines: [
    sentence`You reported that somebody else had listed your ${car}. The administrator has compared your report with that listing and did not remove it.`,
    isSold
      ? sentence`The car in that listing has since been sold, so the listing no longer keeps you from listing your car.`
      : sentence`If you can tell us more, such as that the title is in your name, please report the listing again.`,
  ],
})
