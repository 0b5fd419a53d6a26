import { expect, test } from 'vitest'
import { accountTexts } from './accounts/texts.ts'
import { termSheetTexts } from './agreements/term-sheet-texts.ts'
import { carTexts } from './cars/texts.ts'
import { buyingTexts } from './deals/buying-texts.ts'
import { sellingTexts } from './deals/selling-texts.ts'
import { dealTexts } from './deals/texts.ts'
import { fieldSentences } from './shared/field-sentences.ts'
import { fieldTexts } from './shared/fields.ts'
import { tradeTexts } from './trades/texts.ts'

// R-everywhere-8: letter for letter, mistakes included.
test.each([
  [accountTexts.login.failed, 'Invalid email or password.'],
  [accountTexts.register.failed, 'Sign up failed. Please try again.'],
  [accountTexts.verify.failed, 'Your email verification code is invalid or has expired.'],
  [accountTexts.verify.sendFailed, 'An error occurred while sending the email. Please try again.'],
  [accountTexts.verify.sent('a@b.com'), 'Email sent to a@b.com successfully!'],
  [accountTexts.forgot.failed, 'An error occured. Please try again.'],
  [
    accountTexts.forgot.sent('a@b.com'),
    'Email sent to a@b.com successfully! Check your inbox for further instructions.',
  ],
  [accountTexts.reset.invalidTitle, 'Invalid Link'],
  [accountTexts.reset.invalidText, 'Your link has expired or is invalid.'],
  [accountTexts.reset.done, 'Password reset successfully!'],
  [accountTexts.settings.changed, 'Password Changed Successfully!'],
  [accountTexts.settings.failed, 'An error occurred. Please try again.'],
  [accountTexts.admin.title, 'In Development'],
  [fieldTexts.passwordsDiffer, 'Passwords do not match.'],
  [fieldTexts.name, 'Your name is required.'],
  [fieldTexts.vinRequired, 'VIN is required'],
  [fieldTexts.priceRequired, 'Price is required'],
  [carTexts.vinLookupFailed, 'Invalid VIN'],
  [carTexts.add.title, 'Add A Car'],
  [carTexts.add.done, 'Car Added Successfully!'],
  [carTexts.add.failed, 'An error occurred. Please try again.'],
  [carTexts.public.invalid, 'This link is invalid.'],
  [dealTexts.home.sellerEmpty, 'You have no cars listed. Add a car to get started.'],
  [dealTexts.home.sellerFailed, 'Error fetching cars. Please try again later.'],
  [sellingTexts.noBuyer, 'No buyer information available'],
  [sellingTexts.confirmed, 'Buyer Confirmed!'],
  [sellingTexts.passedTitle('AutoNation'), 'Your Deal Has Been Passed to AutoNation'],
  [sellingTexts.completeTitle, 'Congratulations! Your deal is complete!'],
  [sellingTexts.failed, 'An error has occurred. Please try again later.'],
  [buyingTexts.noCarTitle('1'), 'No car found for VIN: 1'],
  [buyingTexts.noTrades, 'You have no accepted trade offers. Add a trade to get started.'],
  [buyingTexts.approvalPending, 'TRADE APPROVAL PENDING'],
  [buyingTexts.tradeNeeded, 'You must select an accepted trade offer to proceed.'],
  [buyingTexts.completeTitle, 'Your deal is complete!'],
  [termSheetTexts.missing, 'Please enter both your Name and Signature before signing.'],
  [dealTexts.sold.empty, 'No progress data available'],
  [dealTexts.sold.failed, 'Error fetching data.'],
  [tradeTexts.input.fields.payoff, 'Do owe money on your car?'],
  [tradeTexts.input.done, 'Trade Submitted!'],
  [tradeTexts.dashboard.empty, "You have not added any cars. Add a seller's car to get started."],
  [tradeTexts.dashboard.failed, 'Error fetching cars'],
  [tradeTexts.dialog.accepted, 'You have accepted the trade offer below.'],
  [
    tradeTexts.dialog.deleteQuestion,
    'Are you sure you want to delete this request? This action is irreversible.',
  ],
  [tradeTexts.wholesaler.unauthorized, 'Unauthorized. This page is only for wholesalers.'],
  [tradeTexts.wholesaler.empty, 'No pending trade requests at this time.'],
  [tradeTexts.wholesaler.failed, 'Error loading trade requests. Please try again.'],
])('uses the promised sentence: %s', (text, promised) => {
  expect(text).toBe(promised)
})

// R-everywhere-32
test('explains how to correct a field, not only that it is invalid', () => {
  const promised: string[] = Object.values(fieldTexts)
  const others = Object.values(fieldSentences).filter((sentence) => !promised.includes(sentence))
  expect(others.filter((sentence) => /^Invalid /.test(sentence))).toEqual([])
})
