// Owns the command tree. The CLI reference page is generated from it.
import { Command } from 'commander';
import { version } from '../index.js';
import { backfillCommand } from './backfill.js';
import { acceptEarlyFlags } from './command.js';
import { completionCommand } from './completion.js';
import { configCommand } from './config.js';
import { dbCommand } from './db.js';
import { deadLetterCommand } from './deadletter.js';
import { demoCommand } from './demo.js';
import { doctorCommand } from './doctor.js';
import { eventCommand } from './event.js';
import { exceptionCommand } from './exception.js';
import { explainCommand } from './explain.js';
import { findingCommand } from './finding.js';
import { gateCommand } from './gate.js';
import { governCommand } from './govern.js';
import { inboxCommand } from './inbox.js';
import { initCommand } from './init.js';
import { inputCommand } from './input.js';
import { intakeCommand } from './intake.js';
import { ledgerCommand } from './ledger.js';
import { logCommand } from './log.js';
import { pauseCommand, resumeCommand } from './pause.js';
import { personCommand } from './person.js';
import { previewCommand } from './preview.js';
import { requestCommand } from './request.js';
import { rulesetCommand } from './ruleset.js';
import { scanCommand } from './scan.js';
import { schemaCommand } from './schema.js';
import { serveCommand } from './serve.js';
import { settingCommand } from './setting.js';
import { snapshotCommand } from './snapshot.js';
import { sourceCommand } from './source.js';
import { statusCommand } from './status.js';
import { tokenCommand } from './token.js';
import { uninstallCommand } from './uninstall.js';
import { upCommand } from './up.js';
import { upgradeCommand } from './upgrade.js';
import { webhookCommand } from './webhook.js';
import { workerCommand } from './worker.js';

export function buildProgram(): Command {
  const program = new Command('gcos')
    .description(
      'Governance Candidate & Onboarding Substrate: is every object accounted for, is that still true, may it go to production?',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .addHelpText(
      'after',
      '\nExit codes: 0 ok · 1 failure · 2 the claim is false, or blocked · 3 invalid input or configuration · 4 database or schema not usable',
    );
  const commands = [
    upCommand(),
    governCommand(),
    statusCommand(),
    doctorCommand(),
    initCommand(),
    upgradeCommand(),
    uninstallCommand(),
    pauseCommand(),
    resumeCommand(),
    dbCommand(),
    sourceCommand(),
    snapshotCommand(),
    rulesetCommand(),
    previewCommand(),
    backfillCommand(),
    scanCommand(),
    intakeCommand(),
    workerCommand(),
    serveCommand(),
    ledgerCommand(),
    logCommand(),
    explainCommand(),
    gateCommand(),
    inputCommand(),
    findingCommand(),
    requestCommand(),
    exceptionCommand(),
    deadLetterCommand(),
    eventCommand(),
    inboxCommand(),
    webhookCommand(),
    demoCommand(),
    schemaCommand(),
    settingCommand(),
    personCommand(),
    tokenCommand(),
    configCommand(),
    completionCommand(() => program),
  ];
  for (const command of commands) program.addCommand(command);
  acceptEarlyFlags(program);
  return program;
}
