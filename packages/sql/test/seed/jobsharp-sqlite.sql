-- Jobs table
CREATE TABLE "Jobs" (
    "Id" TEXT NOT NULL CONSTRAINT "PK_Jobs" PRIMARY KEY,
    "TypeName" TEXT NOT NULL,
    "Arguments" TEXT,
    "State" INTEGER NOT NULL,
    "CreatedAt" TEXT NOT NULL,
    "ScheduledAt" TEXT,
    "ExecutedAt" TEXT,
    "RetryCount" INTEGER NOT NULL,
    "MaxRetryCount" INTEGER NOT NULL,
    "ErrorMessage" TEXT,
    "Result" TEXT,
    "BatchId" TEXT,
    "ParentJobId" TEXT,
    CONSTRAINT "FK_Jobs_Jobs_ParentJobId" FOREIGN KEY ("ParentJobId") REFERENCES "Jobs" ("Id") ON DELETE CASCADE
);

CREATE INDEX "IX_Jobs_BatchId" ON "Jobs" ("BatchId");
CREATE INDEX "IX_Jobs_ParentJobId" ON "Jobs" ("ParentJobId");
CREATE INDEX "IX_Jobs_ScheduledAt" ON "Jobs" ("ScheduledAt");
CREATE INDEX "IX_Jobs_State" ON "Jobs" ("State");
CREATE INDEX "IX_Jobs_State_ScheduledAt" ON "Jobs" ("State", "ScheduledAt");

-- RecurringJobs table
CREATE TABLE "RecurringJobs" (
    "Id" TEXT NOT NULL CONSTRAINT "PK_RecurringJobs" PRIMARY KEY,
    "CronExpression" TEXT NOT NULL,
    "JobTypeName" TEXT NOT NULL,
    "JobArguments" TEXT,
    "MaxRetryCount" INTEGER NOT NULL,
    "NextExecution" TEXT,
    "LastExecution" TEXT,
    "IsEnabled" INTEGER NOT NULL,
    "CreatedAt" TEXT NOT NULL
);

CREATE INDEX "IX_RecurringJobs_IsEnabled" ON "RecurringJobs" ("IsEnabled");
CREATE INDEX "IX_RecurringJobs_NextExecution" ON "RecurringJobs" ("NextExecution");
