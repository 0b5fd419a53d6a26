import { sessionLifetimes } from '@keyturn/contract/accounts/rules.ts'
import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { accountData } from './modules/accounts/privacy/account-data.ts'
import { listLooksOfAdministrators } from './modules/accounts/privacy/administrator-looks.ts'
import type { PersonalData } from './modules/accounts/privacy/personal-data.ts'
import { agreementData } from './modules/agreements/agreement-data.ts'
import { carData } from './modules/cars/car-data.ts'
import { listContactDataReaders } from './modules/deals/contact-data-readers.ts'
import { dealData } from './modules/deals/deal-data.ts'
import { messageData } from './modules/messages/message-data.ts'
import { notificationData } from './modules/notifications/notification-data.ts'
import { validForDays } from './modules/notifications/push/push-repository.ts'
import { listLooksOfWholesalers } from './modules/trades/contact-looks.ts'
import { tradeData } from './modules/trades/trade-data.ts'
import { emailData } from './platform/mail/email-data.ts'

/**
 * What all modules know about a person (R-accounts-50). Another table is one line in a module's
 * list; `tests/support/personal-data.test.ts` fails for a table that is in none of them.
 */
export const personalData: PersonalData = {
  sections: [
    ...accountData,
    ...carData,
    ...tradeData,
    ...dealData,
    ...messageData,
    ...agreementData,
    ...notificationData,
    ...emailData,
  ],
  looks: [listLooksOfAdministrators, listLooksOfWholesalers, listContactDataReaders],
  ages: ({ backup, retention }) => ({
    retention,
    pushDays: validForDays,
    maxSessionDays: sessionLifetimes.user.sessionMs / (24 * hourMs),
    backups: backup?.keep ?? null,
  }),
}
